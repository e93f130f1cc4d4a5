/** Folders of the published packages in `packages`. With the scope `@lineage/` they are the packages' names. */
export const published: readonly string[] = ['wallet-kit', 'referral-api']
