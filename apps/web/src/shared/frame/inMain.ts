/** Where menus are put: within a landmark, so that a screen reader knows what part of the page they belong to. */
export const inMain = () => document.getElementById('main')
