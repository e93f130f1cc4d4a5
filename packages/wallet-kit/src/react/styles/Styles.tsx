/// <reference path="./css.d.ts" />
import { type RefObject, useState, version } from 'react'
import { useStartsFromServer } from '../hooks/useWalletKit.ts'
import { tokensCss } from '../theme/tokens.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import button from './button.css?inline'
import connectButton from './connectButton.css?inline'

type StylesProps = {
  /** The style sheets of the dialogs. */
  dialogs?: string
  /** Gets the element, unless React moves it into the head. */
  elementRef?: RefObject<HTMLStyleElement | null>
}

/**
 * Renders the kit's style sheets: of the button, of the theme, and of the dialogs for them. React 19 writes those of a server's
 * page once into its head. Elsewhere they stand in place: there they come after the page's own style sheets, so that their
 * cascade layer wins over the page's, and they work in a shadow root.
 */
export function Styles({ dialogs = '', elementRef }: StylesProps) {
  const { nonce, theme } = useWalletKitContext()
  const isFromServer = useStartsFromServer()
  // React before 19.2 drops the nonce of a style sheet that it moves.
  const [isMoved] = useState(isFromServer && !nonce && !version.startsWith('18.'))
  const own = (tokensCss + button).replaceAll('wk-scope', dialogs ? 'wk-dialog' : 'wk-bar') + (dialogs || connectButton)
  if (isMoved)
    return (
      <>
        <style href="wallet-kit" precedence="wallet-kit">
          {own}
        </style>
        {theme && (
          <style href={theme.className} precedence="wallet-kit">
            {theme.css}
          </style>
        )}
      </>
    )
  const css = own + (theme?.css ?? '')
  // On a server React 18 escapes text, but in a browser Trusted Types refuse HTML.
  const content = typeof document === 'undefined' ? { dangerouslySetInnerHTML: { __html: css } } : { children: css }
  // A new nonce needs a new element. Browsers hide the nonce of an element, which React would report.
  return <style ref={elementRef} key={nonce} className="wk-own" nonce={nonce} suppressHydrationWarning {...content} />
}
