import { useState } from 'react'
import { ErrorBoundary } from '../ErrorBoundary.tsx'
import { type AvatarProps, useWalletKitContext } from '../WalletKitContext.ts'
import { Identicon } from './Identicon.tsx'

/**
 * Shows the app's own picture of an account, or the picture of its name. Shows the identicon until that has loaded,
 * or if it cannot load.
 */
export function Avatar({ address, avatar, size }: AvatarProps) {
  const { avatar: Own } = useWalletKitContext()
  const [shown, setShown] = useState<string>()
  const isShown = avatar !== undefined && shown === avatar
  const identicon = <Identicon className="wk-own" address={address} size={size} />
  return (
    <span className="wk-round wk-own" style={{ width: size, height: size }}>
      {Own ? (
        <ErrorBoundary key={address} fallback={() => identicon}>
          <Own address={address} avatar={avatar} size={size} />
        </ErrorBoundary>
      ) : (
        !isShown && identicon
      )}
      {avatar && !Own && (
        // A picture in an `<img>` cannot run scripts. Its host does not learn which page requests it.
        <img
          className="wk-own"
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
    </span>
  )
}
