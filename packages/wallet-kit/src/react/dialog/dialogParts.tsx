import { type ComponentPropsWithoutRef, forwardRef, type ReactElement } from 'react'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import { useKeepFocus } from './focus.ts'

/** Props of an element whose content is one text, or elements: the browser's translation replaces text. */
type PropsOf<tag extends 'button' | 'h2' | 'span', Content> = Omit<ComponentPropsWithoutRef<tag>, 'children'> & {
  children?: Content
}

/** Renders a button without any visual style of its own. */
const PlainButton = ({
  className = '',
  ...props
}: PropsOf<'button', string | ReactElement | readonly (ReactElement | false)[]>) => (
  // Without `tabIndex`, Safari does not focus a clicked button.
  <button type="button" tabIndex={0} {...props} className={`wk-plain wk-own ${className}`} />
)

/** Renders the title of a dialog, or of a part of it. */
export const Title = forwardRef<HTMLHeadingElement, PropsOf<'h2', string>>(function Title(
  { className = '', children, ...props },
  ref,
) {
  return (
    <h2 {...props} ref={ref} className={`wk-title wk-own ${className}`}>
      {children}
    </h2>
  )
})

type DialogHeaderProps = {
  title: string
  titleId?: string
  onBack?: () => void
  /** The status in one sentence, read whenever it changes. */
  status?: string | undefined
  /** Another number has the same status read again. */
  attempt?: number | undefined
  /** Read when it appears, beside the status. */
  note?: string | false
}

/**
 * Renders a dialog's title with Close, and with Back if there is a previous step. The title keeps the focus inside. The status
 * is announced beside Close, because screen readers stop at a live region that is empty.
 */
export function DialogHeader({ title, titleId, onBack, status, attempt, note }: DialogHeaderProps) {
  const { closeDialog } = useWalletKit()
  const t = useTranslate()
  const titleRef = useKeepFocus()
  return (
    <div className="wk-header wk-own" data-pull>
      {onBack && (
        <PlainButton className="wk-square" aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </PlainButton>
      )}
      <Title id={titleId} ref={titleRef} tabIndex={-1}>
        {title}
      </Title>
      <div className="wk-own" aria-live="polite">
        <PlainButton className="wk-square" aria-label={t('close')} onClick={closeDialog}>
          <Icon name="close" />
        </PlainButton>
        {status && <VisuallyHidden key={attempt}>{status}</VisuallyHidden>}
        {note && <VisuallyHidden>{note}</VisuallyHidden>}
      </div>
    </div>
  )
}

/** Renders content for screen readers only. */
export const VisuallyHidden = (props: PropsOf<'span', string | false>) => (
  <span {...props} className="wk-visually-hidden wk-own" />
)

/** Renders a dialog's description, which is read when the dialog opens. */
export const Description = ({ id, children }: { id: string; children: string | undefined }) => (
  // Inline, because rules of the page for every element win over `hidden`.
  <span id={id} className="wk-own" style={{ display: 'none' }}>
    {children}
  </span>
)
