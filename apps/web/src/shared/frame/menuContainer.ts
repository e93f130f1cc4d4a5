/** Returns the container for menus: the main landmark, so that screen readers announce where a menu belongs. */
export const menuContainer = () => document.getElementById('main')
