/** solc ships no types for its bundled compiler that TypeScript's ES modules accept. */
declare module 'solc' {
  const solc: { compile(standardJsonInput: string): string }
  export default solc
}
