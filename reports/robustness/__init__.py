"""The page of robustness."""
