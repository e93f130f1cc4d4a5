/** The types of solc do not work with ES modules. */
declare module 'solc' {
  const solc: { version(): string; compile(standardJsonInput: string): string }
  export default solc
}
