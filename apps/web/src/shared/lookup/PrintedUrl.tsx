import { styled } from '@mui/material/styles'
import { useLocation } from 'react-router-dom'

/** Shows the URL of the page in print. */
export function PrintedUrl() {
  const { pathname, search } = useLocation()
  return <Root>{new URL(`${pathname}${search}`, window.location.origin).href}</Root>
}

const Root = styled('span')({
  display: 'none',
  '@media print': { display: 'block', marginTop: 4, fontSize: '0.8125rem', overflowWrap: 'anywhere' },
})
