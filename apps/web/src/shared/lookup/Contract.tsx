import type { Community } from '@lineage/referral-api'

/** Shows the contract of a community, with a link if there is an explorer. */
export function Contract({ contract, explorer }: Pick<Community, 'contract' | 'explorer'>) {
  if (!explorer) return <code>{contract}</code>
  return (
    <a href={`${explorer}/address/${contract}`} target="_blank" rel="noreferrer">
      <code>{contract}</code>
    </a>
  )
}
