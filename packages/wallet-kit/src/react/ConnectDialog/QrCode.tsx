import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { drawQrCode } from './drawQrCode.ts'

type QrCodeProps = { text: string; label: string }

/** Draws a QR code, dark on light in every colour scheme, because some scanners cannot read the inverse. */
export function QrCode({ text, label }: QrCodeProps) {
  const { path, size } = useMemo(() => drawQrCode(text), [text])
  return (
    <Code role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </Code>
  )
}

const Code = styled('svg')({ display: 'block', width: '100%', height: '100%' })
