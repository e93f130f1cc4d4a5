/** Exits because another program listens on the port, with the code for which a supervisor tries again. */
export function refusePort(port: number): never {
  console.error(`Port ${port} is taken by another program. Set API_PORT to a free one, or end that program.`)
  process.exit(75)
}
