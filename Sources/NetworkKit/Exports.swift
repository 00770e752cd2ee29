// NetworkKit is PewPew, and what only NetworkKit had: old code imports this module alone.
@_exported public import PewPew
