"""What a person sees and types: boards, conversations, progress, tables."""
