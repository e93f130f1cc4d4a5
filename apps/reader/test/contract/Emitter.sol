// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Emits any log of any ABI, and answers any view of a member's referrer
/// @notice Stands in for every referral contract in the wild: the logs a test wants, however dirty, and behind whatever
/// name a view has, the referrer a test has set.
contract Emitter {
    struct Log {
        bytes32[] topics;
        bytes data;
    }

    mapping(address member => address referrer) private referrers;

    function emitLogs(Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            bytes32[] memory topics = new bytes32[](4);
            uint256 count = logs[i].topics.length;
            for (uint256 j = 0; j < count; ++j) topics[j] = logs[i].topics[j];
            bytes memory data = logs[i].data;
            assembly {
                let from := add(data, 32)
                let size := mload(data)
                let first := mload(add(topics, 32))
                let second := mload(add(topics, 64))
                let third := mload(add(topics, 96))
                let fourth := mload(add(topics, 128))
                switch count
                case 1 { log1(from, size, first) }
                case 2 { log2(from, size, first, second) }
                case 3 { log3(from, size, first, second, third) }
                default { log4(from, size, first, second, third, fourth) }
            }
        }
    }

    function setReferrers(address[2][] calldata pairs) external {
        for (uint256 i = 0; i < pairs.length; ++i) referrers[pairs[i][0]] = pairs[i][1];
    }

    /// @notice Any view with one address: the referrer that was set.
    fallback(bytes calldata input) external returns (bytes memory) {
        return abi.encode(referrers[abi.decode(input[4:36], (address))]);
    }
}
