import { Component, type ErrorInfo, type ReactNode } from 'react'
import { BrokenPage } from './BrokenPage.tsx'
import { LoadError } from './lazyWithPreload.tsx'

type Props = { children: ReactNode; fallback?: ReactNode; onError?: () => void }

/** Shows a fallback when a page fails to render; the rest of the app stays usable. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
    if (error instanceof LoadError) error.forget()
    this.props.onError?.()
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return this.props.fallback === undefined ? <BrokenPage /> : this.props.fallback
  }
}
