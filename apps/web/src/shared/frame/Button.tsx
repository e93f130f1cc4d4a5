import MuiButton, { type ButtonProps, type ButtonTypeMap, type ExtendButton } from '@mui/material/Button'

/**
 * Renders MUI's button with its text in an element of its own. MUI writes the text beside the ripple, where React cannot
 * change it once the browser has translated the page.
 */
export const Button = (({ children, ...props }: ButtonProps) => (
  <MuiButton {...props}>
    <span>{children}</span>
  </MuiButton>
)) as ExtendButton<ButtonTypeMap<{ children: string }>>
