import { styled } from '@mui/material/styles'

/** A part of a button. */
export const Part = styled('span')({ display: 'inline-flex' })
