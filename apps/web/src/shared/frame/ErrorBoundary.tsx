import { Component, type ComponentType, type ErrorInfo, type ReactNode, useEffect } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'
import { Part } from '../../lib/takeOver.tsx'
import { LoadError, lazyWithPreload } from './lazyWithPreload.tsx'
import { BrokenPage } from './MessagePage.tsx'

type Props = { children: ReactNode; fallback?: (error: unknown) => ReactNode; onError?: () => void }

/** Shows a fallback when its children fail to render. Renders them again when the browser is back online. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
    if (error instanceof LoadError) error.forget()
    addEventListener('online', this.renderAgain, { once: true })
    this.props.onError?.()
  }

  override componentWillUnmount() {
    removeEventListener('online', this.renderAgain)
  }

  renderAgain = () => this.setState({ error: undefined })

  override render() {
    if (this.state.error === undefined) return this.props.children
    return this.props.fallback ? this.props.fallback(this.state.error) : <BrokenPage />
  }
}

type LazyProps = {
  children: ReactNode
  /** Closes a part that the person opened and that failed. A notice says so; other parts are left out silently. */
  onError?: () => void
}

/** Renders nothing while lazy children load, and nothing when they fail. The button of a part that was opened is dimmed meanwhile. */
export function LazyBoundary({ children, onError }: LazyProps) {
  const { t } = useTranslation()
  const notify = useNotify()
  const close = () => {
    notify(t('broken.part.text'), 'error')
    onError?.()
  }
  return (
    <ErrorBoundary fallback={() => null} {...(onError && { onError: close })}>
      <Part fallback={onError && <Opening />}>{children}</Part>
    </ErrorBoundary>
  )
}

/** Creates a component that loads its script when it is first rendered. If that fails, its `LazyBoundary` calls `onError`. */
export function lazyPart<props extends object>(load: () => Promise<{ default: ComponentType<props> }>) {
  const Content = lazyWithPreload(load)
  const LazyPart = ({ onError, ...props }: props & Pick<LazyProps, 'onError'>) => (
    <LazyBoundary {...(onError && { onError })}>
      <Content {...(props as unknown as props)} />
    </LazyBoundary>
  )
  return Object.assign(LazyPart, { preload: Content.preload })
}

/** Marks the document while a part that was opened loads. index.html has its style. */
function Opening() {
  useEffect(() => {
    document.documentElement.toggleAttribute('data-opening', true)
    return () => document.documentElement.removeAttribute('data-opening')
  }, [])
  return null
}
