export const colorModes = ['system', 'light', 'dark'] as const
