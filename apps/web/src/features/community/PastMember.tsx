import { lazyPart } from '../../shared/frame/ErrorBoundary.tsx'
import PastCard from '../../shared/past/PastCard.tsx'
import type { PastPartProps } from '../../shared/past/queries.ts'
import { usePeriod } from '../../shared/period/queries.ts'

const TeamCompare = lazyPart(() => import('./TeamCompare.tsx'))

/** Shows a member at a past moment, and the two days compared that the URL names. */
export default function PastMember(props: PastPartProps) {
  const period = usePeriod()
  return (
    <>
      <PastCard {...props} />
      {period && <TeamCompare member={props.member} community={props.community} days={period} />}
    </>
  )
}
