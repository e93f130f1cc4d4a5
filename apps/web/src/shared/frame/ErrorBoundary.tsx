import { Component, type ErrorInfo, type ReactNode } from 'react'
import { BrokenPage } from './BrokenPage.tsx'

type Props = { children: ReactNode; fallback?: ReactNode }

/** Keeps a fault of one page within that page. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return this.props.fallback === undefined ? <BrokenPage /> : this.props.fallback
  }
}
