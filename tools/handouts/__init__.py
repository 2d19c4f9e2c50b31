"""Lab sheets for a course, made of the lessons, the exercises and the results."""
