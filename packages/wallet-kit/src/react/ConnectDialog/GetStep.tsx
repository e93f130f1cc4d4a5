import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import type { WalletOption } from '../../core/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { type Downloads, findDownloads } from '../findDownloads.ts'
import { onArrowKeys } from '../onArrowKeys.ts'
import { detectDevice } from '../platform.ts'
import { useKitState } from '../useKitState.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { WalletIcon } from '../WalletIcon.tsx'
import { StepActions } from './StepActions.tsx'

const suggestions = 3
const longList = 5

/** Wallets for whoever has none: three with an app for phones, and on request all that this device can have. */
export function GetStep() {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const wallets = useKitState((state) => state.wallets)
  const [isLong, setIsLong] = useState(false)

  const here = wallets
    .filter(({ installed }) => !installed)
    .map((wallet) => ({ wallet, downloads: findDownloads(wallet.downloadUrls, detectDevice()) }))
  const few = here.filter(({ wallet }) => hasMobileLink(wallet)).slice(0, suggestions)
  const many = here.filter(({ downloads }) => kindOf(downloads)).slice(0, longList)
  const shown = isLong ? many : few
  return (
    <>
      {shown.length === 0 && <Empty>{t('getNone')}</Empty>}
      <List onKeyDown={onArrowKeys}>
        {shown.map(({ wallet, downloads }) => (
          <li key={wallet.id}>
            <WalletIcon wallet={wallet} />
            <Name>
              {wallet.name}
              <small>{t(kindOf(downloads) ?? 'worksOnMobile')}</small>
            </Name>
            <Button
              variant="outlined"
              color="primary"
              aria-label={t('get', { wallet: wallet.name })}
              onClick={() => dispatch({ type: 'choose', walletId: wallet.id })}
            >
              {t('getShort')}
            </Button>
          </li>
        ))}
      </List>
      {!isLong && many.length > few.length && (
        <StepActions>
          <Button color="primary" onClick={() => setIsLong(true)}>
            {t('moreWallets')}
          </Button>
        </StepActions>
      )}
    </>
  )
}

const hasMobileLink = ({ downloadUrls: urls }: WalletOption) => Boolean(urls.ios || urls.android || urls.mobile)

function kindOf({ extension, mobile, desktop }: Downloads): MessageKey | undefined {
  if (extension && mobile.length > 0) return 'worksOnMobileAndInBrowser'
  if (extension) return 'worksInBrowser'
  if (mobile.length > 0) return 'worksOnMobile'
  return desktop ? 'worksOnDesktop' : undefined
}

const List = styled('ul')({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  width: '100%',
  maxWidth: 360,
  '& li': { display: 'flex', alignItems: 'center', gap: 12, minHeight: 68 },
  '& .MuiButton-root': { minHeight: 44, minWidth: 72 },
})

const Name = styled('span')(({ theme }) => ({
  flex: 1,
  minWidth: 0,
  fontSize: 15,
  lineHeight: '22px',
  '& small': {
    display: 'block',
    fontSize: 12,
    lineHeight: '18px',
    color: (theme.vars ?? theme).palette.text.secondary,
  },
}))

const Empty = styled('p')(({ theme }) => ({
  margin: 0,
  fontSize: 14,
  color: (theme.vars ?? theme).palette.text.secondary,
}))
