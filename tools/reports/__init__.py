"""What programs and tests report: times, findings, counts, failures."""
