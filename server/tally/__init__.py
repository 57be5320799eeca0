"""Score sheets added up.

Pure core: ``reading`` (what was read), ``book`` and ``books`` (what is known of each game),
``possible`` (what doubts leave open), ``suggest``, ``adding`` (one sheet), ``ranking``.
"""
