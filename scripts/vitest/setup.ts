import fc from 'fast-check'

// The same commit gets the same random cases. LINEAGE_SEED chooses others.
fc.configureGlobal({ seed: Number(process.env.LINEAGE_SEED ?? 56) })
