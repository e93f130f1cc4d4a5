import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = {
  /** Called with a function that tries the children again. */
  fallback: (retry: () => void) => ReactNode
  children: ReactNode
}

/** Shows the fallback in place of children that threw an error, and reports the error. The page around them stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { outcome: 'shown' | 'failed' }> {
  override state = { outcome: 'shown' as const }

  static getDerivedStateFromError = () => ({ outcome: 'failed' })

  // As for an error that nothing catches, so that an app's own reports contain it.
  override componentDidCatch = (error: unknown) => reportError(error)

  override render() {
    const { fallback, children } = this.props
    return this.state.outcome === 'shown' ? children : fallback(() => this.setState({ outcome: 'shown' }))
  }
}
