import { styled } from '@mui/material/styles'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import { accent } from '../theme/accent.ts'
import { useKeepFocus } from './focus.ts'
import { VisuallyHidden } from './VisuallyHidden.ts'

/** A button without any visual style. */
export const PlainButton = styled('button')({
  boxSizing: 'border-box',
  margin: 0,
  padding: 0,
  border: 0,
  font: 'inherit',
  color: 'inherit',
  textAlign: 'start',
  textDecoration: 'none',
  background: 'none',
  cursor: 'pointer',
  userSelect: 'none',
  WebkitTapHighlightColor: 'transparent',
})

type DialogHeaderProps = {
  title: string
  titleId?: string
  onBack?: () => void
}

/** Renders a dialog's title with Close, and with Back if there is a previous step. The title keeps the focus inside. */
export function DialogHeader({ title, titleId, onBack }: DialogHeaderProps) {
  const { closeDialog } = useWalletKit()
  const t = useTranslate()
  const titleRef = useKeepFocus()
  return (
    <Header data-pull>
      {onBack ? (
        <Square type="button" tabIndex={0} aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </Square>
      ) : (
        <span />
      )}
      <Title id={titleId} ref={titleRef} tabIndex={-1}>
        {title}
      </Title>
      <Square type="button" tabIndex={0} aria-label={t('close')} onClick={closeDialog}>
        <Icon name="close" />
      </Square>
    </Header>
  )
}

const Header = styled('div')({
  display: 'grid',
  gridTemplateColumns: '44px minmax(0, 1fr) 44px',
  alignItems: 'center',
  flex: 'none',
  padding: '10px 10px 6px',
  touchAction: 'none',
})

export const Title = styled('h2')({
  margin: 0,
  fontSize: 16,
  lineHeight: '24px',
  fontWeight: 600,
  textAlign: 'center',
  overflowWrap: 'anywhere',
  outline: 'none',
})

const Square = styled(PlainButton)(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 44,
  height: 44,
  borderRadius: (theme.vars ?? theme).shape.borderRadius,
  '@media (hover: hover)': { '&:hover': { background: (theme.vars ?? theme).palette.action.hover } },
  '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
}))

type LiveStatusProps = {
  /** Id of the dialog's description. */
  id: string
  /** Read when the dialog opens. Default: the status. */
  description?: string
  /** The status in one sentence, read whenever it changes. */
  children?: string | undefined
}

/** Renders a dialog's description and status for screen readers. */
export function LiveStatus({ id, children, description = children }: LiveStatusProps) {
  return (
    <>
      {/* Inline, because rules of the page for every element win over `hidden`. */}
      <span id={id} style={{ display: 'none' }}>
        {description}
      </span>
      <VisuallyHidden role="status">{children}</VisuallyHidden>
    </>
  )
}
