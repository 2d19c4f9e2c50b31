"""What all parts of lab use: the command line, chapters, messages, other programs."""
