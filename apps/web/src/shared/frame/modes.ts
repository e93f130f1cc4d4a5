export const modes = ['system', 'light', 'dark'] as const
