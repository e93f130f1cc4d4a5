import { type Address, type Growth, type Member, nameIn, type PastMember } from '@lineage/referral-api'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import { useEffect, useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { downloadFile, mayLoseFiles } from '../../lib/downloadFile.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { usedParameters } from '../../parameters.ts'
import { lookupPath } from '../../paths.ts'
import { shorten } from '../address/parseAddress.ts'
import { Button } from '../frame/Button.tsx'
import { Dialog } from '../frame/layers.tsx'
import { RadioRow } from '../frame/RadioRow.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { useMember } from '../lookup/queries.ts'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { useCommunity } from '../lookup/useCommunity.ts'
import { toFixedMoment, usePastMember } from '../past/queries.ts'
import { momentText, useMoment } from '../past/useMoment.ts'
import { useGrowth } from '../period/queries.ts'
import { type Card, cardSize, drawCard, type Scheme } from './drawCard.ts'

/** Seconds from the first to the last of thirty days. */
const month = 29 * 86_400

type Props = { address: Address; onClose: () => void }

/** Shows a member's card as a picture, to share or to save: of the moment in the URL, or else of now. */
export default function CardDialog({ address, onClose }: Props) {
  const { t } = useLazyTranslation('share')
  const id = useId()
  const asOf = useSearchParams()[0].get('asOf')
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{t('title')}</DialogTitle>
      {asOf ? (
        <PastCardView address={address} asOf={asOf} onClose={onClose} />
      ) : (
        <CurrentCardView address={address} onClose={onClose} />
      )}
    </Dialog>
  )
}

function CurrentCardView({ address, onClose }: Props) {
  const community = useCommunity()
  const member = useMember(community.id, address)
  const format = useFormat()
  const { dayOf } = format.calendar
  // A card shows one moment.
  const growth = useGrowth(community.id, address, 'day', 'never')
  const { t } = useLazyTranslation('share')
  const { t: common } = useTranslation()
  return (
    <Answer query={member} skeleton={<Skeleton rows={4} />}>
      {(found) => (
        <Answer query={growth} skeleton={<Skeleton rows={4} />}>
          {(grown) => {
            const recent = countRecent(grown, dayOf(found.asOf.timestamp - month))
            // The growth of a team with members without a date is not known, and none is nothing to show.
            const figures =
              grown.undated > 0 || recent === 0
                ? { second: { label: common('member.levels'), value: format.count(found.maxLevel) } }
                : {
                    second: { label: t('growth'), value: `+${format.big(recent)}` },
                    totals: grown.items.map(({ total }) => total),
                  }
            return <CardView member={found} {...figures} onClose={onClose} />
          }}
        </Answer>
      )}
    </Answer>
  )
}

/** Draws the card of a past moment. Growth is only known for the team of now, so the card shows the moment in its place. */
function PastCardView({ address, asOf, onClose }: Props & { asOf: string }) {
  const community = useCommunity()
  const query = usePastMember(community.id, address, asOf)
  const moment = useMoment(query.data?.at, query.data?.asOf)
  const format = useFormat()
  const { t } = useTranslation()
  return (
    <Answer query={query} skeleton={<Skeleton rows={4} />}>
      {(member) => {
        const text = momentText(moment ?? member.at, t, format)
        return (
          <CardView
            // Draws the card anew once both the time and the block are known.
            key={text}
            member={member}
            second={{ label: t('member.levels'), value: format.count(member.maxLevel) }}
            moment={text}
            onClose={onClose}
          />
        )
      }}
    </Answer>
  )
}

/** Returns the number of members who joined on a day or later. */
function countRecent({ items }: Growth, since: string): number {
  return items.reduce((sum, { from, members }) => sum + (from >= since ? members : 0), 0)
}

type ViewProps = Pick<Card, 'totals' | 'moment'> & {
  member: Member | PastMember
  /** The second of three figures. */
  second: Card['facts'][number]
  onClose: () => void
}

function CardView({ onClose, ...content }: ViewProps) {
  const { member } = content
  const { t } = useLazyTranslation('share')
  const card = useCard(content)
  const isDark = document.documentElement.dataset.muiColorScheme === 'dark'
  const [scheme, setScheme] = useState<Scheme>(isDark ? 'dark' : 'light')
  const [state, setState] = useState<'ready' | 'failed'>('ready')
  const [canvas] = useState(() => document.createElement('canvas'))
  const [picture, setPicture] = useState<string>()
  useEffect(() => {
    const text = getComputedStyle(document.documentElement).getPropertyValue('--lineage-font')
    drawCard(canvas, card, scheme, { text, address: fonts.address })
    setPicture(canvas.toDataURL('image/png'))
  }, [canvas, card, scheme])
  const holdsToSave = mayLoseFiles(navigator.userAgent)
  const [parameters] = useSearchParams()
  const name = ['lineage', member.address.slice(0, 10), parameters.get('asOf')].filter(Boolean).join('-')
  const shareOrSave = (way: 'share' | 'save') =>
    canvas.toBlob((blob) => {
      if (!blob) return setState('failed')
      void shareFile(new File([blob], `${name}.png`, { type: 'image/png' }), card.link, way).then(setState)
    })
  return (
    <>
      <DialogContent>
        {/* An image, because a long press saves or sends it. */}
        <Picture src={picture} alt={toAltText(card, t('alt', { address: member.address }))} {...cardSize} />
        {holdsToSave && <p>{t('hold')}</p>}
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
        {!holdsToSave && (
          <Button variant="outlined" onClick={() => shareOrSave('save')}>
            {t('save')}
          </Button>
        )}
        {'share' in navigator && (
          <Button variant="contained" color="primary" onClick={() => shareOrSave('share')}>
            {t('share')}
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** Returns the texts of a card. They stay the same when newer blocks arrive, so that the picture does not change. */
function useCard({ member, second, totals, moment }: Omit<ViewProps, 'onClose'>): Card {
  const { t } = useLazyTranslation('share')
  const { i18n } = useTranslation()
  const format = useFormat()
  const community = useCommunity()
  const [parameters] = useSearchParams()
  const { t: history } = useLazyTranslation('history')
  const [card] = useState((): Card => {
    const { address, depth, referrer, team, directs, asOf } = member
    const block = { block: format.count(asOf.block) }
    const asked = parameters.get('asOf')
    const path = lookupPath('community', parameters, {
      ...usedParameters('community', parameters),
      address,
      community: community.id,
      lang: i18n.language,
      // The code leads to the figures of the card, not to later ones.
      asOf: asked && 'at' in member ? toFixedMoment(asked, member) : String(asOf.block),
    })
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
        second,
        { label: t('directs'), value: format.big(directs) },
      ],
      totals,
      moment,
      block: [moment ? history('past.readAt', block) : t('block', block), format.moment(asOf.timestamp)],
      link: new URL(path, window.location.origin).href,
    }
  })
  return card
}

/** Returns the texts of a card for screen readers. */
const toAltText = ({ facts, moment }: Card, title: string): string =>
  [title, moment, ...facts.map(({ label, value }) => `${label} ${value}`)].filter(Boolean).join(', ')

const Picture = styled('img')(({ theme }) => ({
  display: 'block',
  // Whole also on a phone held sideways.
  width: 'min(100%, calc(60dvh * 3 / 4))',
  height: 'auto',
  margin: '0 auto 12px',
  border: `1px solid ${theme.vars?.palette.divider}`,
}))

/**
 * Opens the share sheet with a file, or saves the file if the browser cannot share files. Returns the outcome; a
 * closed sheet is not a failure.
 *
 * @see https://developer.mozilla.org/docs/Web/API/Navigator/share
 */
export async function shareFile(file: File, url: string, way: 'share' | 'save'): Promise<'ready' | 'failed'> {
  if (way === 'save' || !navigator.canShare?.({ files: [file] })) {
    downloadFile(file.name, file)
    return 'ready'
  }
  try {
    await navigator.share({ files: [file], url })
    return 'ready'
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'ready' : 'failed'
  }
}
