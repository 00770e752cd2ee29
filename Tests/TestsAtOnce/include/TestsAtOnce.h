// Nothing to be called: see TestsAtOnce.c.
