import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { type AvatarProps, useWalletKitContext } from '../WalletKitContext.ts'
import { Identicon } from './Identicon.tsx'

/** Shows the app's own picture of an account, or that of its name; the identicon until it is loaded, or if it cannot be. */
export function Avatar({ address, avatar, size }: AvatarProps) {
  const { avatar: Own } = useWalletKitContext()
  const [shown, setShown] = useState<string>()
  const isShown = avatar !== undefined && shown === avatar
  return (
    <Round size={size}>
      {Own ? (
        <Own address={address} avatar={avatar} size={size} />
      ) : (
        !isShown && <Identicon address={address} size={size} />
      )}
      {avatar && !Own && (
        // In an `<img>` a picture runs no script. Its host does not learn which page asks.
        <img
          src={avatar}
          alt=""
          width={size}
          height={size}
          referrerPolicy="no-referrer"
          draggable={false}
          hidden={!isShown}
          onLoad={() => setShown(avatar)}
          onError={() => setShown(undefined)}
        />
      )}
    </Round>
  )
}

const Round = styled('span', { shouldForwardProp: (prop) => prop !== 'size' })<{ size: number }>(({ size }) => ({
  display: 'block',
  flex: 'none',
  width: size,
  height: size,
  borderRadius: '50%',
  overflow: 'hidden',
  '& img': { display: 'block', objectFit: 'cover' },
  '& img[hidden]': { display: 'none' },
}))
