import { styled } from '@mui/material/styles'
import { useState } from 'react'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { detectDevice } from '../device/device.ts'
import { type Downloads, findDownloads } from '../device/findDownloads.ts'
import { moveFocusInList } from '../dialog/focus.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import { StepActions } from './stepParts.ts'

const suggestionCount = 3
const longListCount = 5

/** Suggests wallets to get: three with a mobile app; "More wallets" lists five that this device can download. */
export function GetStep() {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const wallets = useWalletKitState((state) => state.wallets)
  const [isLong, setIsLong] = useState(false)

  const missing = wallets
    .filter(({ installed }) => !installed)
    .map((wallet) => ({ wallet, downloads: findDownloads(wallet.downloadUrls, detectDevice()) }))
  const few = missing.filter(({ wallet }) => hasMobileLink(wallet)).slice(0, suggestionCount)
  const many = missing.filter(({ downloads }) => downloadKind(downloads)).slice(0, longListCount)
  const shown = isLong ? many : few
  return (
    <>
      {shown.length === 0 && <Empty>{t('getNone')}</Empty>}
      <List onKeyDown={moveFocusInList}>
        {shown.map(({ wallet, downloads }) => (
          <li key={wallet.id}>
            <WalletIcon wallet={wallet} />
            <Name>
              <span>{wallet.name}</span>
              <small>{t(downloadKind(downloads) ?? 'worksOnMobile')}</small>
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

function downloadKind({ extension, mobile, desktop }: Downloads): MessageKey | undefined {
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
