"""The course in other languages: what is translated, with what, and how much is left."""
