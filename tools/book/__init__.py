"""The book: what of this repository is a page of it, and what MkDocs cannot know by itself."""
