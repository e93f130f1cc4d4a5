export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='%234A21EF' d='M0 0h24v24H0z'/%3E%3Cpath fill='none' stroke='%23fff' stroke-width='2.4' d='M16.5 7.5h-9v4.5h9v4.5h-9'/%3E%3C/svg%3E"
