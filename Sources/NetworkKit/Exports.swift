// NetworkKit is PewPew plus the symbols that only NetworkKit had. Old code imports this module alone.
@_exported public import PewPew
