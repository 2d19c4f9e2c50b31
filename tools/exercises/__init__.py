"""The exercises of the chapters: what they are made of, how an answer is judged, and the proof that they are sound."""
