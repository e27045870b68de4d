"""What people, models and pipelines say of answers: handed out blind, read back, resolved.

``handing``, ``stored``, ``views`` and ``witness`` read the database; nothing here writes to it,
and all else is pure.
"""
