"""Score sheets in photos, added up.

One sheet, pure: ``reading`` (what was read), ``book`` and ``books`` (what is known of each game),
``possible`` (what doubts leave open), ``suggest``, ``adding``, ``since`` (two photos of one sheet),
``log_audit``, ``ranking``.

Photos: ``photo`` makes a ``record`` of each, ``merging`` makes a result of records (``counted``,
``likeness`` and ``twins``, ``naming``), ``batch`` reads many, ``storing`` keeps them.

Told: ``contract`` (JSON), ``telling`` (lines), ``asking`` (questions), ``tables``, ``drawing``,
``page``, ``writing`` (all files), ``progress``.
"""
