import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { Identicon } from './Identicon.tsx'

export type AvatarProps = {
  address: string
  avatar: string | undefined
  size: number
}

/** Shows the picture of an account's name; the identicon until it is loaded, or if it cannot be. */
export function Avatar({ address, avatar, size }: AvatarProps) {
  const [shown, setShown] = useState<string>()
  const isShown = avatar !== undefined && shown === avatar
  return (
    <Round size={size}>
      {!isShown && <Identicon address={address} size={size} />}
      {avatar && (
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
