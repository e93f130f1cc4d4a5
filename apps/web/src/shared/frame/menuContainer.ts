/** Returns the container for menus: the main landmark, so that screen readers announce where they belong. */
export const menuContainer = () => document.getElementById('main')
