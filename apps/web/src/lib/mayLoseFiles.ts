/** Returns whether the page is shown by a chat app whose browser ignores downloads, without an error: WeChat or QQ. */
export const mayLoseFiles = (userAgent: string): boolean => /\bMicroMessenger\/|\bQQ\/\d/i.test(userAgent)
