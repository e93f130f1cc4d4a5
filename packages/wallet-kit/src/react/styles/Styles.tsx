/// <reference path="./css.d.ts" />
import { useState, version } from 'react'
import { useIsHydrated } from '../hooks/useWalletKit.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'

type StylesProps = { href: string; css: string }

/**
 * Renders a style sheet. React 19 writes it once into the head of a server's page. Elsewhere it stands in place: there it
 * comes after the style sheets of the page, so that its cascade layer wins over theirs, and works in a shadow root.
 */
export function Styles({ href, css }: StylesProps) {
  const nonce = useWalletKitContext().kit?.config.nonce
  const isHydrated = useIsHydrated()
  // Kept after hydration. React before 19.2 drops the nonce of a style sheet that it moves.
  const [isMoved] = useState(!isHydrated && !nonce && !version.startsWith('18.'))
  if (isMoved)
    return (
      <style href={href} precedence="wallet-kit">
        {css}
      </style>
    )
  // A changed nonce needs a new element. Browsers hide the nonce of an element, which React would report.
  const props = { key: nonce, nonce, suppressHydrationWarning: true }
  // On a server React 18 escapes text, but in a browser Trusted Types refuse HTML.
  return typeof window === 'undefined' ? (
    <style {...props} dangerouslySetInnerHTML={{ __html: css }} />
  ) : (
    <style {...props}>{css}</style>
  )
}
