
// snippet
