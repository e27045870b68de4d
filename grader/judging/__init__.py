"""What people, models and pipelines say of answers: handed out blind, read back, resolved.

Everything here is pure but ``witness``, which reads the database.
"""
