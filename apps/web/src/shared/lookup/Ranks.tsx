import type { Address, Ranks as RanksAnswer } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { Quiet } from '../frame/controls.tsx'
import { Answer } from './Answer.tsx'
import { FactList } from './FactList.tsx'
import { Section } from './Section.tsx'
import { useCommunity } from './useCommunity.ts'

type Places = RanksAnswer['community']
type Props = {
  address: Address
  /** `root`: it has no referrer whose directs it could be compared with. */
  kind: 'root' | 'referred'
}

/** Shows the place of a member by team and by directs, in its community and among the directs of its referrer. */
export default function Ranks({ address, kind }: Props) {
  const { t } = useLazyTranslation('period')
  const community = useCommunity()
  const query = useAnswer([community.id, 'ranks', address], (api, signal) =>
    api.ranks(community.id, address, { signal }),
  )
  const placeOf = usePlaceText()
  /** Lists the places. The rows have the same height before they are known. */
  const list = (ranks?: RanksAnswer) => {
    const row = (name: 'community' | 'siblings', by: keyof Places) =>
      [t(`ranks.${name}.${by}`), placeOf(ranks?.[name]?.[by])] as const
    return (
      <Wrapping aria-busy={ranks === undefined}>
        <FactList
          rows={[
            row('community', 'team'),
            row('community', 'directs'),
            kind === 'referred' && row('siblings', 'team'),
            kind === 'referred' && row('siblings', 'directs'),
          ]}
        />
      </Wrapping>
    )
  }
  return (
    <Section title={t('ranks')}>
      <Answer query={query} skeleton={list()}>
        {list}
      </Answer>
      <Hint>{t('ranks.hint')}</Hint>
    </Section>
  )
}

const Hint = styled(Quiet)({ marginTop: 8, fontSize: '0.8125rem' })

/** Wraps long names, but not their places. Chinese wraps only after a comma or bracket, so that no line has a single character. */
const Wrapping = styled('div')({ wordBreak: 'keep-all', '&& dt': { flex: '0 1 auto' } })

/** Returns the function that describes a place, with the number of members who share it. */
function usePlaceText(): (place: Places['team'] | undefined) => string {
  const { t } = useLazyTranslation('period')
  const format = useFormat()
  return (place) => {
    if (!place) return '…'
    const [rank, equal, of] = [place.rank, place.equal, place.of].map(format.count)
    return t(place.equal > 1 ? 'ranks.tied' : 'ranks.place', { rank, equal, of })
  }
}
