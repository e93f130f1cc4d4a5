/** Returns props that deactivate a busy button without `disabled`, which would drop its focus. */
export const busyButtonProps = (isBusy: boolean, onClick: () => void) => ({
  'aria-disabled': isBusy,
  onClick: () => {
    if (!isBusy) onClick()
  },
})
