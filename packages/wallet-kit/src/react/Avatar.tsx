import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { Identicon } from './Identicon.tsx'

export type AvatarProps = {
  address: string
  avatar: string | undefined
  size: number
}

/** The picture that goes with an account's name, once it has come; the account's own until then, and for good if it does not. */
export function Avatar({ address, avatar, size }: AvatarProps) {
  const [shown, setShown] = useState<string>()
  const isShown = avatar !== undefined && shown === avatar
  return (
    <Round size={size}>
      {!isShown && <Identicon address={address} size={size} />}
      {avatar && (
        // Through `<img>` alone: a picture runs no script there. Whoever keeps it need not know this page.
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
