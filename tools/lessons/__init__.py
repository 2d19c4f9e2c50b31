"""The generated parts of the lessons: excerpts of the sources, tables and charts."""
