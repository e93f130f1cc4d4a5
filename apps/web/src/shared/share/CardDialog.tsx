import { type Address, type Growth, type Member, nameIn } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useApi } from '../../lib/api.ts'
import { fonts } from '../../lib/theme.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { useLazyTranslation } from '../../lib/useLazyTranslation.ts'
import { lookupPath } from '../../paths.ts'
import { shorten } from '../address/parseAddress.ts'
import { RadioRow } from '../frame/RadioRow.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { useMember } from '../lookup/queries.ts'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { useCommunity } from '../lookup/useCommunity.ts'
import { type Card, drawCard, type Scheme } from './drawCard.ts'
import { shareFile } from './shareFile.ts'

const month = 30 * 86_400

type Props = { address: Address; onClose: () => void }

/** Shows a member's card as a picture, to share or to save. */
export default function CardDialog({ address, onClose }: Props) {
  const { t } = useLazyTranslation('share')
  const id = useId()
  const api = useApi()
  const community = useCommunity()
  const member = useMember(community.id, address)
  const growth = useQuery({
    queryKey: [community.id, 'growth', address, 'day'],
    queryFn: ({ signal }) => api.growth(community.id, address, { interval: 'day', signal }),
    // A card shows one moment, so it does not refresh.
    refetchInterval: false,
  })
  return (
    <Dialog open fullWidth maxWidth="md" onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{t('title')}</DialogTitle>
      <Answer query={member} skeleton={<Skeleton rows={4} />}>
        {(found) => (
          <Answer query={growth} skeleton={<Skeleton rows={4} />}>
            {(grown) => <CardView member={found} growth={grown} onClose={onClose} />}
          </Answer>
        )}
      </Answer>
    </Dialog>
  )
}

type ViewProps = { member: Member; growth: Growth; onClose: () => void }

function CardView({ member, growth, onClose }: ViewProps) {
  const { t } = useLazyTranslation('share')
  const canvas = useRef<HTMLCanvasElement>(null)
  const card = useCard(member, growth)
  const isDark = document.documentElement.dataset.muiColorScheme === 'dark'
  const [scheme, setScheme] = useState<Scheme>(isDark ? 'dark' : 'light')
  const [state, setState] = useState<'ready' | 'failed'>('ready')
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const text = getComputedStyle(document.documentElement).getPropertyValue('--lineage-font')
    drawCard(element, card, scheme, { text, address: fonts.address })
  }, [card, scheme])
  const name = `lineage-${member.address.slice(0, 10)}.png`
  const give = (way: 'share' | 'save') =>
    canvas.current?.toBlob((blob) => {
      if (!blob) return setState('failed')
      void shareFile(new File([blob], name, { type: 'image/png' }), card.link, way).then(setState)
    })
  return (
    <>
      <DialogContent>
        <Picture ref={canvas} role="img" aria-label={t('alt', { address: member.address })} />
        <RadioRow
          label={t('scheme')}
          value={scheme}
          options={[
            ['light', t('light')],
            ['dark', t('dark')],
          ]}
          onChange={setScheme}
        />
        <p role="status">{state === 'failed' && t('failed')}</p>
      </DialogContent>
      <DialogActions sx={{ padding: '0 24px 20px' }}>
        <Button onClick={onClose}>{t('close')}</Button>
        <Button variant="outlined" onClick={() => give('save')}>
          {t('save')}
        </Button>
        {'share' in navigator && (
          <Button variant="contained" color="primary" onClick={() => give('share')}>
            {t('share')}
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** Returns the texts of a card. They stay the same when newer blocks arrive, so that the picture does not change. */
function useCard(member: Member, growth: Growth): Card {
  const { t } = useLazyTranslation('share')
  const { i18n } = useTranslation()
  const format = useFormat()
  const community = useCommunity()
  const [parameters] = useSearchParams()
  const [card] = useState((): Card => {
    const { address, depth, referrer, team, directs, asOf } = member
    const since = new Date((asOf.timestamp - month) * 1_000).toISOString().slice(0, 10)
    const recent = growth.items.reduce((sum, { from, members }) => sum + (from >= since ? members : 0), 0)
    const path = lookupPath('community', parameters, { address, community: community.id, lang: i18n.language })
    return {
      community: nameIn(community.name, i18n.language),
      address,
      place: [
        depth === 0 ? t('root') : t('depth', { depth: format.count(depth) }),
        referrer && t('referrer', { address: shorten(referrer) }),
      ]
        .filter(Boolean)
        .join(' · '),
      facts: [
        { label: t('team'), value: format.big(team) },
        { label: t('growth'), value: `+${format.big(recent)}` },
        { label: t('directs'), value: format.big(directs) },
      ],
      totals: growth.items.map(({ total }) => total),
      block: `${t('block', { block: format.count(asOf.block) })} · ${format.moment(asOf.timestamp)}`,
      link: new URL(path, window.location.origin).href,
    }
  })
  return card
}

const Picture = styled('canvas')(({ theme }) => ({
  display: 'block',
  width: '100%',
  aspectRatio: '1200 / 675',
  marginBottom: 12,
  border: `1px solid ${theme.vars?.palette.divider}`,
}))
