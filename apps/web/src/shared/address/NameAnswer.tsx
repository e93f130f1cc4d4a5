import type { Address } from '@lineage/referral-api'
import { Identicon } from '@lineage/wallet-kit'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConfig } from '../../lib/api.ts'
import { delay } from '../../lib/delay.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { Button } from '../frame/Button.tsx'
import { TextButton } from '../frame/controls.tsx'
import { useLoadKit } from '../frame/KitProvider.tsx'
import { formatInGroups } from './parseAddress.ts'

type Props = {
  /** The name as typed. */
  name: string
  /** `true` after Enter: an unfinished name is then reported as wrong. */
  isAsked: boolean
  onFound: (address: Address | undefined) => void
  onTake: (address: Address) => void
}

/** Resolves a name and shows the full address before it is looked up. */
export default function NameAnswer({ name, isAsked, onFound, onTake }: Props) {
  const { t } = useLazyTranslation('search')
  const loadKit = useLoadKit()
  const names = useConfig().data?.names
  const isBnb = /\.bnb$/i.test(name)
  const canAsk = names?.bnb === true && isBnb
  const { data, error, isFetching, refetch } = useQuery<{ name: string; address: Address } | null, Error>({
    queryKey: ['onChain', 'addressOf', name],
    enabled: canAsk,
    queryFn: async ({ signal }) => {
      await delay(200, signal)
      return (await (await loadKit()).lookUpAddress({ name })) ?? null
    },
    retry: false,
    refetchInterval: false,
  })
  const found = canAsk ? data?.address : undefined
  useEffect(() => onFound(found), [onFound, found])

  if (names && !names.bnb) return <span>{t('name.off')}</span>
  // `alice.bn` may become `alice.bnb`.
  if (!isBnb) return isAsked || !/\.bn?$/i.test(name) ? <span>{t('name.otherKind')}</span> : null
  if (data)
    return (
      <Found>
        <Identicon address={data.address} size={36} />
        <span>
          <span>{t('name.found', { name: data.name })}</span>
          <code>{formatInGroups(data.address)}</code>
        </span>
        <Button variant="contained" color="primary" size="small" onClick={() => onTake(data.address)}>
          {t('name.look')}
        </Button>
      </Found>
    )
  if (data === null) return <span>{t('name.none', { name })}</span>
  if (error && !isFetching)
    return (
      <>
        <span>{`${t('name.failed', { name })} `}</span>
        <TextButton type="button" onClick={() => void refetch()}>
          {t('name.again')}
        </TextButton>
      </>
    )
  return <span>{t('name.looking', { name })}</span>
}

const Found = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '8px 14px',
  padding: '10px 0',
  overflowWrap: 'anywhere',
  '& > span': { flex: '1 1 240px' },
  '& code': {
    display: 'block',
    fontFamily: fonts.address,
    fontSize: '0.875rem',
    color: theme.vars?.palette.text.primary,
  },
  '& button': { minHeight: 44 },
}))
