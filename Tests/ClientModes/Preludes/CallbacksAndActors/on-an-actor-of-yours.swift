// with: README/sixty-seconds-1

import PiuPiu

// snippet
