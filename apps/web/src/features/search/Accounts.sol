// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What accounts are and hold, in one call. It is never deployed: called without an address, a node runs the constructor,
/// which answers where it would otherwise give its code.
contract Accounts {
    /// Each answer is a word: the balance, and in its highest byte 0 for an account, 1 for a contract, 2 for an account
    /// that has a contract act for it (https://eips.ethereum.org/EIPS/eip-7702).
    constructor(address[] memory accounts) {
        uint256[] memory answers = new uint256[](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) {
            address account = accounts[i];
            uint256 kind;
            assembly {
                let size := extcodesize(account)
                kind := gt(size, 0)
                if eq(size, 23) {
                    mstore(0, 0)
                    extcodecopy(account, 0, 0, 3)
                    if eq(shr(232, mload(0)), 0xef0100) { kind := 2 }
                }
            }
            answers[i] = (kind << 248) | account.balance;
        }
        bytes memory answer = abi.encode(answers);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}
