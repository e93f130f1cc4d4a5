import { type SVGProps, useState } from 'react'
import { ErrorBoundary } from '../ErrorBoundary.tsx'
import { type AvatarProps, useWalletKitContext } from '../WalletKitContext.ts'

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

/** The props of `Identicon`: those of an `<svg>`, the address and the size. */
export type IdenticonProps = SVGProps<SVGSVGElement> & { address: string; size: number }

/**
 * Draws a picture of an address, like the account button and dialog. It ignores upper and lower case, and differs if
 * any character differs. `size` is in CSS pixels.
 *
 * @param props - The `address`, the `size`, and any prop of an `<svg>`.
 * @example
 * ```tsx
 * <Identicon address="0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" size={24} />
 * ```
 */
export function Identicon({ address, size, ...props }: IdenticonProps) {
  const hue = hash(address.toLowerCase(), 1) % 360
  const bits = hash(address.toLowerCase(), 2)
  const cells = Array.from({ length: 15 }, (_, index) => ({
    x: index % 3,
    y: Math.floor(index / 3),
    tone: (bits >>> (index * 2)) & 3,
  })).flatMap((cell) => (cell.x === 2 ? [cell] : [cell, { ...cell, x: 4 - cell.x }]))
  const draw = (tone: number) => cells.flatMap((cell) => (cell.tone === tone ? `M${cell.x} ${cell.y}h1v1h-1z` : []))
  return (
    <svg width={size} height={size} viewBox="-1 -1 7 7" aria-hidden="true" focusable="false" {...props}>
      <rect x="-1" y="-1" width="7" height="7" fill={`hsl(${hue} 34% 50% / 0.16)`} />
      <path d={draw(1).join('')} fill={`hsl(${hue} 38% 64%)`} />
      <path d={[...draw(2), ...draw(3)].join('')} fill={`hsl(${hue} 42% 44%)`} />
    </svg>
  )
}

/**
 * Computes FNV-1a with a final mix, because similar texts differ in few bits. @see
 * http://www.isthe.com/chongo/tech/comp/fnv/
 */
function hash(text: string, seed: number): number {
  let bits = 0x811c9dc5 ^ seed
  for (const character of text) bits = Math.imul(bits ^ character.charCodeAt(0), 0x01000193)
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d)
  return (bits ^ (bits >>> 13)) >>> 0
}
